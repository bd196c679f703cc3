# Bugs that the tests must see: copies of a few sources, each with one line changed, in a
# namespace `planted` of their own. The shipped sources have no switch for it.

# plant(<folder> FILES <names> BUG <name> FROM <text> TO <text>): copies the headers and sources
# of core/<folder> to <build>/planted/<folder>/planted, and changes the text in one source.
function(plant folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BUG;FROM;TO" "FILES")
  string(REGEX REPLACE "/.*" "" namespace ${folder})
  foreach(name ${arg_FILES})
    foreach(suffix hpp cpp)
      set(source ${PROJECT_SOURCE_DIR}/core/${folder}/${name}.${suffix})
      set(copy ${PROJECT_BINARY_DIR}/planted/${folder}/planted/${name}.${suffix})
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
      file(READ ${source} text)
      if(name STREQUAL arg_BUG AND suffix STREQUAL "cpp")
        string(FIND "${text}" "${arg_FROM}" first)
        string(FIND "${text}" "${arg_FROM}" last REVERSE)
        if(first EQUAL -1 OR NOT first EQUAL last)
          message(FATAL_ERROR "${source} must have this once, for a bug to be planted: ${arg_FROM}")
        endif()
        string(REPLACE "${arg_FROM}" "${arg_TO}" text "${text}")
      endif()
      string(REPLACE "namespace reasons::${namespace}" "namespace reasons::${namespace}::planted"
             text "${text}")
      foreach(header ${arg_FILES})
        string(REPLACE "\"${folder}/${header}.hpp\"" "\"${folder}/planted/${header}.hpp\""
               text "${text}")
      endforeach()
      file(WRITE ${copy}.new "${text}")
      configure_file(${copy}.new ${copy} COPYONLY) # touches only what has changed
    endforeach()
    target_sources(core_tests PRIVATE ${PROJECT_BINARY_DIR}/planted/${folder}/planted/${name}.cpp)
  endforeach()
  target_include_directories(core_tests PRIVATE ${PROJECT_BINARY_DIR}/planted)
endfunction()

# Components are compiled before their siblings are known to be satisfiable.
plant(cnf/compile FILES compile_cnf dnnf_search BUG dnnf_search
      FROM " && (!frame.second || solver_.satisfiable(variables))" TO " && true")

# Settled states are shared like certain ones.
plant(forest/compile FILES compile_trees state_search BUG state_search
      FROM "found_.settled = true;\n}" TO "std::ranges::fill(found_.slack, 0);\n}")

# Boxes whose bound allows for no cost are taken to be refuted.
plant(forest/search FILES cheapest_change BUG cheapest_change
      FROM "lead.limit + price * (found_.best->cost - 1)"
      TO "lead.limit - price")

# What is found last is taken, wherever it is in the order.
plant(forest/search FILES open_boxes BUG open_boxes FROM "      drop_after(place);\n" TO "")

# An element whose branch is done is left out of the branches after it.
plant(reason FILES dualization BUG dualization
      FROM "if (enter(element))\n      set_bit(frames_[depth_ - 2].candidates, element);"
      TO "(void)enter(element);")

# Counter-examples outside the box cut it too.
plant(forest/search FILES widen_reason BUG widen_reason
      FROM "if (example.last == j && is_before(example))" TO "if (example.last == j)")
